import { logoAddress } from '../../components/settings/settings.api.ts';
import { companyTexts as texts } from '../../text/es-settings.ts';

/** Mails have a white background, also in the console's dark theme (server: mail layout). */
const PAPER = { backgroundColor: '#f4f5f7' };
export const SHEET = { backgroundColor: '#ffffff', color: '#1c2330' };

interface MailPreviewProps {
  name: string;
  supportEmail: string;
  /** A colour as '#rrggbb'. */
  color: string;
  logoStoredAt: string | null;
}

/** A preview of a mail's header with the name, logo and colour in the form. */
export function MailPreview({ name, supportEmail, color, logoStoredAt }: MailPreviewProps) {
  return (
    <figure className="min-w-0 space-y-1.5">
      <figcaption className="font-medium">{texts.preview}</figcaption>
      <div className="rounded-lg border border-border p-4" style={PAPER}>
        <div className="space-y-4 rounded-lg border-t-4 p-5" style={{ ...SHEET, borderTopColor: color }}>
          {logoStoredAt === null ? (
            <p className="text-lg font-semibold wrap-anywhere">{name}</p>
          ) : (
            <img
              src={logoAddress(logoStoredAt)}
              alt={name}
              className="h-10 max-w-full object-contain object-left"
            />
          )}
          <div>
            <p>{texts.previewGreeting}</p>
            <p>{texts.previewBody}</p>
          </div>
          <p>
            <span
              className="inline-block rounded-md px-4 py-2 font-semibold"
              style={{ backgroundColor: color, color: '#ffffff' }}
            >
              {texts.previewButton}
            </span>
          </p>
          {supportEmail !== '' && <p className="text-xs wrap-anywhere">{texts.previewHelp(supportEmail)}</p>}
        </div>
      </div>
    </figure>
  );
}
