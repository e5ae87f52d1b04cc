import { settingsTexts } from '../../text/es-settings.ts';

/** The messages about saving settings. There is one set, so none is ever created. */
export const SETTINGS_SAVE_TEXTS = {
  created: settingsTexts.saved,
  updated: settingsTexts.saved,
  createFailed: settingsTexts.saveFailed,
  updateFailed: settingsTexts.saveFailed,
};
