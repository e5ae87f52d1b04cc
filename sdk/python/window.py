"""Una ventana con licencia: python3 window.py
Pide la clave, dice qué pasa y qué hacer, y nunca se congela: todo lo que espera al servidor va en otro hilo."""

import os
import sys
import threading
import tkinter as tk
import webbrowser
from datetime import date, timedelta
from pathlib import Path
from queue import Empty, SimpleQueue
from tkinter import ttk
from typing import Callable, Optional

from license import License, Result

# True si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo.
FLOATING = False

# La carpeta donde el sistema guarda los ajustes de los programas.
home = Path(os.path.expanduser("~"))
if sys.platform == "win32":
    settings = Path(os.environ.get("APPDATA") or home)
elif sys.platform == "darwin":
    settings = home / "Library" / "Application Support"
else:
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
folder = settings / "punto-de-venta"

license = License(
    server="https://licencias.example.com",
    software="punto-de-venta",
    # De Configuración › Firma: la clave actual y la siguiente.
    keys=[
        {
            "kid": "OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI",
            "x": "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk",
            "y": "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k",
        },
        {
            "kid": "P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI",
            "x": "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI",
            "y": "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74",
        },
    ],
    store=folder / "licencia.json",
    app_version="1.0.0",
)

key_file = folder / "clave.txt"


def kept_key() -> str:
    """La clave que se escribió antes; vacía si no hay, o si no se puede leer."""
    try:
        return key_file.read_text(encoding="utf-8-sig").strip()
    except (OSError, ValueError):
        return ""


def keep_key(key: str) -> str:
    """Guarda la clave. Devuelve qué decir si no se pudo."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        key_file.write_text(key, encoding="utf-8")
        return ""
    except (OSError, ValueError):
        return "La clave no se pudo guardar en este equipo: habrá que escribirla otra vez al abrir el programa."


def state_of(result: Result) -> str:
    """Hasta cuándo vale la licencia, en una línea."""
    if not result.ok:
        return "Sin licencia válida"
    without = " (sin conexión)" if result.offline and not result.pending else ""
    if result.in_grace:
        return f"La licencia venció y está en su periodo de gracia{without}"
    if result.expires_at is None:
        return f"Licencia válida. Sin fecha de fin{without}"
    # El último día como lo cuenta el proveedor, cuya zona horaria puede ser otra.
    days = result.days_left or 0
    end = date.today() + timedelta(days)
    left = "termina hoy" if days == 0 else "queda 1 día" if days == 1 else f"quedan {days} días"
    return f"Licencia válida hasta el {end:%d/%m/%Y}, {left}{without}"


def portal_problem() -> str:
    """Por qué no hay dirección del portal."""
    if license.portal_reason == "not_found":
        return "El portal no está disponible para este equipo. Hay que activar la licencia, o comunicarse con el proveedor."
    reason = "not_found" if license.portal_reason == "license_not_found" else license.portal_reason
    return Result(False, reason, False, detail=license.portal_detail).message()


class Window:
    """La ventana. Los otros hilos nunca la tocan: dejan en una cola lo que hay que hacer."""

    def __init__(self, root: tk.Tk) -> None:
        self.root = root
        self.tasks: "SimpleQueue[Callable[[], None]]" = SimpleQueue()
        self.asked = 0
        root.title("Mi programa")
        root.minsize(460, 260)
        if sys.platform.startswith("linux"):
            ttk.Style().theme_use("clam")
        frame = ttk.Frame(root, padding=16)
        frame.pack(fill="both", expand=True)
        frame.columnconfigure(0, weight=1)

        ttk.Label(frame, text="Clave de licencia").grid(row=0, column=0, sticky="w")
        self.key = ttk.Entry(frame, width=36)
        self.key.insert(0, kept_key())
        self.key.grid(row=1, column=0, sticky="ew", pady=(4, 12))
        self.key.bind("<Return>", lambda _event: self.check())
        self.key.bind("<Control-a>", self.select_all)

        buttons = ttk.Frame(frame)
        buttons.grid(row=2, column=0, sticky="w")
        self.add_button(buttons, "Activar", self.check)
        self.add_button(buttons, "Reintentar", self.check)
        self.add_button(buttons, "Mi licencia", self.open_portal)

        self.state = ttk.Label(frame, font="TkHeadingFont")
        self.state.grid(row=3, column=0, sticky="ew", pady=(16, 4))
        self.text = ttk.Label(frame, justify="left")
        self.text.grid(row=4, column=0, sticky="new")
        frame.rowconfigure(4, weight=1)
        frame.bind("<Configure>", self.wrap)

        work = ttk.Frame(frame)
        work.grid(row=5, column=0, sticky="e", pady=(16, 0))
        self.export = self.add_button(work, "Exportar", lambda: self.say("Aquí trabaja el programa."))
        self.export.state(["disabled"])

        root.protocol("WM_DELETE_WINDOW", self.close)
        self.key.focus_set()
        self.key.icursor("end")
        self.poll()
        self.check()

    def add_button(self, parent: ttk.Frame, text: str, command: Callable[[], None]) -> ttk.Button:
        button = ttk.Button(parent, text=text, command=command)
        button.bind("<Return>", lambda _event: button.invoke())
        button.pack(side="left", padx=(0, 8))
        return button

    def select_all(self, _event: "tk.Event[tk.Misc]") -> str:
        """Tk en Linux no lo hace con Ctrl+A."""
        self.key.selection_range(0, "end")
        return "break"

    def wrap(self, event: "tk.Event[tk.Misc]") -> None:
        """Los textos usan todo el ancho, y siguen en otra línea."""
        for label in (self.text, self.state):
            label.configure(wraplength=event.width - 32)

    def say(self, text: str, state: Optional[str] = None) -> None:
        self.text.configure(text=text)
        if state is not None:
            self.state.configure(text=state)

    def check(self) -> None:
        """Comprueba la clave que está escrita, y después en segundo plano cada cierto tiempo."""
        self.asked += 1
        asked, key = self.asked, self.key.get().strip()
        if not key:
            license.stop()
            self.export.state(["disabled"])
            self.say("Hay que escribir la clave de licencia y pulsar Activar.", "Falta la clave")
            return
        self.say("", "Comprobando la licencia…")
        license.start(key, lambda result: self.tasks.put(lambda: self.changed(asked, key, result)))

    def changed(self, asked: int, key: str, result: Result) -> None:
        """Se llama con el primer resultado, y después con cada cambio."""
        if asked != self.asked:
            return  # Mientras tanto se preguntó por otra clave.
        # Lo que ya empezó siempre termina: solo lo nuevo se detiene.
        self.export.state(["!disabled" if result.ok else "disabled"])
        problem = keep_key(key) if result.ok and key != kept_key() else ""
        text = f"{result.message()} {problem}".strip()
        # Lo guardado responde enseguida; lo que dice el servidor llega después.
        if not text and result.pending:
            text = "Comprobando con el servidor de licencias…"
        self.say(text, state_of(result))

    def open_portal(self) -> None:
        """Abre el portal en el navegador."""
        key = self.key.get().strip()
        if not key:
            self.say("Hay que escribir la clave de licencia.")
            return

        def ask() -> None:
            url = license.portal_url(key)
            if url is None:
                problem = portal_problem()
            elif webbrowser.open(url):
                problem = "El portal se abrió en el navegador."
            else:
                problem = "No se pudo abrir el navegador."
            self.tasks.put(lambda: self.say(problem))

        self.say("Abriendo el portal…")
        threading.Thread(target=ask, daemon=True).start()

    def poll(self) -> None:
        """Hace lo que dejaron los otros hilos."""
        try:
            while True:
                self.tasks.get_nowait()()
        except Empty:
            self.root.after(50, self.poll)

    def close(self) -> None:
        """Cierra enseguida, aunque una comprobación espere todavía."""
        license.stop()
        self.root.destroy()


if __name__ == "__main__":
    root = tk.Tk()
    window = Window(root)
    root.mainloop()
    if FLOATING:
        license.release(kept_key())
