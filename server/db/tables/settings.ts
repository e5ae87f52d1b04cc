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

/** At most one row: the mail server of Configuración › Correos (DESK-07). */
export type MailSettingsTable = {
  id: number;
  /** '': none. */
  host: string;
  port: number;
  security: string;
  username: string;
  /** Sealed; null for none. */
  password: string | null;
  /** The sender; '': MAIL_FROM. */
  sender: string;
  updated_at: string;
};

/** At most one row: the zone in whose days the stored ends lie (INPUT-17). */
type BusinessZoneTable = { id: number; time_zone: string };

export type SettingsTables = {
  settings: SettingsTable;
  mail_settings: MailSettingsTable;
  vendor_logo: VendorLogoTable;
  business_zone: BusinessZoneTable;
};
