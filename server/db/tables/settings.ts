/** At most one row: the vendor's settings (MAIL-03). */
export type SettingsTable = {
  id: number;
  /** JSON: the settings that were changed; the others have their defaults. */
  changed: string;
  updated_at: string;
};

/** At most one row: the vendor's picture. */
export type VendorLogoTable = {
  id: number;
  media_type: 'image/png' | 'image/jpeg';
  /** The file in base64. */
  content: string;
  updated_at: string;
};

export type SettingsTables = { settings: SettingsTable; vendor_logo: VendorLogoTable };
