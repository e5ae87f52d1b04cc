/** The meanings of colours. A badge, banner or toast has a tone, never a colour. */
export type Tone = 'success' | 'info' | 'warning' | 'critical';
