import java.awt.BorderLayout;
import java.awt.Desktop;
import java.awt.EventQueue;
import java.awt.FlowLayout;
import java.awt.Font;
import java.awt.GridLayout;
import java.awt.KeyboardFocusManager;
import java.awt.Toolkit;
import java.awt.datatransfer.StringSelection;
import java.awt.event.WindowAdapter;
import java.awt.event.WindowEvent;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import javax.swing.BorderFactory;
import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JTextArea;
import javax.swing.JTextField;
import javax.swing.UIManager;
import javax.swing.UnsupportedLookAndFeelException;
import javax.swing.WindowConstants;
import licensemanager.License;

/**
 * Una ventana con licencia: java -cp … Window
 * Pide la clave, dice qué pasa y qué hacer, y nunca se congela: todo lo que espera al servidor va en otro hilo.
 */
public final class Window {

    /** Verdadero si vendes licencias flotantes: al cerrar, el programa devuelve su lugar para otro equipo. */
    private static final boolean FLOATING = false;

    private static final Path FOLDER = Paths.get(System.getProperty("user.home"), ".punto-de-venta");
    private static final Path KEY_FILE = FOLDER.resolve("clave.txt");

    private static final License LICENSE = new License(new License.Options(
            "https://licencias.example.com",
            "punto-de-venta",
            // De Configuración › Firma: la clave actual y la siguiente.
            Arrays.asList(
                    new License.Key(
                            "OWU11v3d5J8iBa0aO_WuWlc5MLhPvKXs8oUNFbWWJFI",
                            "yP0-iHEqjG4iWMkFi5koNYWxbyqkVVH265jENwM6GHk",
                            "CSHST7W7Mw9TsLjmcquiHPr0v3QYhhACzsKLT7wc95k"),
                    new License.Key(
                            "P-_1DxIxmxqy_WdO9UJRpo13zTFWVzbzTcAR4jguXSI",
                            "DLqmjXhfQDhkKpahykPcpqh2XvEjF_JJmdXN4AdgrVI",
                            "vPM41CzkH1ddjn3lHDCLPX3QU7YYDQfVIkJtT4MIE74")),
            FOLDER.resolve("licencia.json")).appVersion("1.0.0"));

    private final JFrame frame = new JFrame("Mi programa");
    private final JTextField key = new JTextField(keptKey(), 30);
    private final JLabel state = new JLabel(" ");
    private final JTextArea text = new JTextArea(6, 40);
    private final JButton retry = new JButton("Reintentar");
    private final JButton export = new JButton("Exportar");
    /** La clave que se comprueba; la del cuadro puede ser otra mientras se escribe. */
    private String checked = "";

    public static void main(String[] arguments) {
        EventQueue.invokeLater(() -> {
            UIManager.put("swing.boldMetal", false); // Solo el estado va en negritas.
            try {
                UIManager.setLookAndFeel(UIManager.getSystemLookAndFeelClassName());
            } catch (ReflectiveOperationException | UnsupportedLookAndFeelException e) {
                // Queda el aspecto de Java.
            }
            new Window().frame.setVisible(true);
        });
    }

    private Window() {
        JButton activate = new JButton("Activar");
        JButton portal = new JButton("Mi licencia");
        activate.addActionListener(event -> check(key.getText().trim()));
        retry.addActionListener(event -> check(checked));
        portal.addActionListener(event -> openPortal());
        // Lo que ya empezó siempre termina: solo lo nuevo se detiene.
        export.addActionListener(event -> say("Aquí trabaja el programa."));
        frame.getRootPane().setDefaultButton(activate); // Enter activa.

        JLabel label = new JLabel("Clave de licencia");
        label.setLabelFor(key);
        JPanel typed = new JPanel(new BorderLayout(0, 4));
        typed.add(label, BorderLayout.NORTH);
        typed.add(key);

        JPanel buttons = new JPanel(new FlowLayout(FlowLayout.LEADING, 0, 0));
        for (JButton button : Arrays.asList(activate, retry, portal)) {
            buttons.add(button);
            buttons.add(new JLabel("  "));
        }

        state.setFont(state.getFont().deriveFont(Font.BOLD));
        text.setFont(label.getFont());
        text.setLineWrap(true);
        text.setWrapStyleWord(true);
        text.setEditable(false); // Se puede seleccionar y copiar, para pedir ayuda.
        text.setFocusTraversalKeys(KeyboardFocusManager.FORWARD_TRAVERSAL_KEYS, null); // Tab sigue adelante.
        text.setFocusTraversalKeys(KeyboardFocusManager.BACKWARD_TRAVERSAL_KEYS, null);
        text.setOpaque(false);
        text.setBorder(null);
        text.getAccessibleContext().setAccessibleName("Qué pasa y qué hacer");
        JPanel said = new JPanel(new BorderLayout(0, 8));
        said.add(state, BorderLayout.NORTH);
        said.add(text);

        JPanel work = new JPanel(new FlowLayout(FlowLayout.TRAILING, 0, 0));
        work.add(export);

        JPanel top = new JPanel(new GridLayout(0, 1, 0, 12));
        top.add(typed);
        top.add(buttons);
        JPanel all = new JPanel(new BorderLayout(0, 12));
        all.setBorder(BorderFactory.createEmptyBorder(16, 16, 16, 16));
        all.add(top, BorderLayout.NORTH);
        all.add(said);
        all.add(work, BorderLayout.SOUTH);
        frame.setContentPane(all);
        frame.pack();
        frame.setMinimumSize(frame.getSize());
        frame.setLocationRelativeTo(null);
        frame.setDefaultCloseOperation(WindowConstants.DISPOSE_ON_CLOSE);
        frame.addWindowListener(new WindowAdapter() {
            @Override public void windowClosed(WindowEvent event) { end(); }
        });
        check(key.getText().trim());
    }

    /** Comprueba ahora, y después en segundo plano cada cierto tiempo. */
    private void check(String typed) {
        checked = typed;
        retry.setEnabled(!typed.isEmpty());
        if (typed.isEmpty()) {
            LICENSE.stop();
            export.setEnabled(false);
            say("Hay que escribir la clave de licencia y pulsar Activar.", "Falta la clave");
            key.requestFocusInWindow();
            return;
        }
        say("", "Comprobando la licencia…");
        // Lo guardado responde al instante; lo que dice el servidor llega después, y luego cada cambio.
        LICENSE.start(typed, result -> {
            String problem = result.ok() && !result.pending() ? keep(typed) : "";
            EventQueue.invokeLater(() -> changed(typed, result, problem));
        });
    }

    private void changed(String typed, License.Result result, String problem) {
        if (!typed.equals(checked)) return; // Mientras tanto se preguntó por otra clave.
        export.setEnabled(result.ok());
        String what = (result.message("es") + " " + problem).trim();
        if (what.isEmpty() && result.pending()) what = "Comprobando con el servidor de licencias…";
        if (what.isEmpty() && result.offline()) what = "El programa trabaja sin conexión con el servidor de licencias.";
        say(what, stateOf(result));
    }

    /** Hasta cuándo vale la licencia, en una línea. */
    private static String stateOf(License.Result result) {
        if (!result.ok()) return "Sin licencia válida";
        if (result.inGrace()) return "La licencia venció y está en su periodo de gracia";
        if (result.expiresAt() == null) return "Licencia válida. Sin fecha de fin";
        DateTimeFormatter day = DateTimeFormatter.ofPattern("dd/MM/yyyy");
        // El último día como lo cuenta el proveedor, cuya zona horaria puede ser otra.
        long days = result.daysLeft() == null ? 0 : result.daysLeft();
        String left = days == 0 ? "termina hoy" : days == 1 ? "queda 1 día" : "quedan " + days + " días";
        return "Licencia válida hasta el " + day.format(LocalDate.now().plusDays(days)) + ", " + left;
    }

    private void say(String what) {
        text.setText(what);
        text.setCaretPosition(0);
    }

    private void say(String what, String now) {
        say(what);
        state.setText(now);
    }

    /** Abre el portal en el navegador: ahí se libera el equipo, se pide la renovación o se descarga un archivo. */
    private void openPortal() {
        String typed = key.getText().trim();
        if (typed.isEmpty()) {
            say("Hay que escribir la clave de licencia.");
            return;
        }
        say("Abriendo el portal…");
        Thread asking = new Thread(() -> {
            String said = browse(LICENSE.portalUrl(typed));
            EventQueue.invokeLater(() -> say(said));
        });
        asking.setDaemon(true);
        asking.start();
    }

    /** Devuelve qué decir; la dirección sirve una sola vez, durante cinco minutos. */
    private static String browse(String url) {
        if (url == null) {
            return "not_found".equals(LICENSE.portalReason())
                    ? "El portal no está disponible para este equipo. Hay que activar la licencia, o comunicarse con el proveedor."
                    : "No se pudo abrir el portal. Hay que revisar la clave y la conexión a internet, e intentar de nuevo.";
        }
        try {
            boolean isKnown = Desktop.isDesktopSupported() && Desktop.getDesktop().isSupported(Desktop.Action.BROWSE);
            if (isKnown) Desktop.getDesktop().browse(URI.create(url));
            else new ProcessBuilder("xdg-open", url).start(); // Linux sin GTK.
            return "El portal se abrió en el navegador.";
        } catch (IOException | RuntimeException e) {
            Toolkit.getDefaultToolkit().getSystemClipboard().setContents(new StringSelection(url), null);
            return "No se pudo abrir el navegador. La dirección del portal está copiada: hay que pegarla en uno antes de 5 minutos.";
        }
    }

    /** La clave que se escribió antes; vacía si no hay, o si no se puede leer. */
    private static String keptKey() {
        try {
            // Sin los espacios y la marca invisible que deja un editor de textos.
            return new String(Files.readAllBytes(KEY_FILE), StandardCharsets.UTF_8).replace("\uFEFF", "").trim();
        } catch (IOException | SecurityException e) {
            return "";
        }
    }

    /** Guarda la clave. Devuelve qué decir si no se pudo. */
    private static String keep(String typed) {
        if (typed.equals(keptKey())) return "";
        try {
            Files.createDirectories(FOLDER);
            Files.write(KEY_FILE, typed.getBytes(StandardCharsets.UTF_8));
            return "";
        } catch (IOException | SecurityException e) {
            return "La clave no se pudo guardar en este equipo: habrá que escribirla otra vez al abrir el programa.";
        }
    }

    /** La ventana ya se cerró: nada de esto se nota. */
    private void end() {
        LICENSE.stop();
        String last = checked;
        new Thread(() -> {
            if (FLOATING && !last.isEmpty()) LICENSE.release(last);
            System.exit(0);
        }).start();
    }
}
