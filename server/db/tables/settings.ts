/** At most one row: the vendor's settings (MAIL-03). */
type SettingsTable = {
  id: number;
  /** JSON: the settings that the vendor has changed; the others have their default values. */
  changed: string;
  updated_at: string;
};

/** At most one row: the vendor's logo. */
type VendorLogoTable = {
  id: number;
  media_type: 'image/png' | 'image/jpeg';
  /** The file in base64. */
  content: string;
  updated_at: string;
};

export type SettingsTables = { settings: SettingsTable; vendor_logo: VendorLogoTable };
