/** True if the keyboard has ⌘ instead of Ctrl. */
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The name of the key to hold for shortcuts on this system. */
export const COMMAND_KEY = isApple ? '⌘' : 'Ctrl';
