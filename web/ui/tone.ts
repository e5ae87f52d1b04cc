/** What a colour may mean. A badge, banner or toast names a tone and never a colour. */
export type Tone = 'success' | 'info' | 'warning' | 'critical';
