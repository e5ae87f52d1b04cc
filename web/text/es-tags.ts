/** Texts of tags (DESK-03). */
export const tagTexts = {
  one: 'Etiqueta',
  chosen: 'Etiquetas elegidas',
  placeholder: 'Escribe y pulsa Enter',
  help: 'Enter o punto y coma añade cada una.',
  filterHelp: 'Con varias, las que las tienen todas.',
  remove: (tag: string) => `Quitar etiqueta ${tag}`,
  added: (tag: string) => `Etiqueta ${tag} añadida`,
  removed: (tag: string) => `Etiqueta ${tag} quitada`,
  seeAll: (tag: string) => `Ver todos con la etiqueta ${tag}`,
  choose: 'Selecciona una etiqueta',
} as const;
