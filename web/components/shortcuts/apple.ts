/** Whether the keyboard has ⌘ in place of Ctrl. */
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The key of the shortcuts that need one held down, as people of this system know it. */
export const COMMAND_KEY = isApple ? '⌘' : 'Ctrl';
