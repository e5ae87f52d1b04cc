import type { PublicJwk } from '../../../contract/programs/license-token.ts';
import { signingTexts as texts } from '../../text/es-signing.ts';
import { Code } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

/** A public key in both text forms, each with a button to copy it (PROG-01). */
export const PublicKey = ({ pem, jwk }: { pem: string; jwk: PublicJwk }) => (
  <>
    <Code boxed className="text-xs break-all whitespace-pre-wrap">
      {pem.trim()}
    </Code>
    <div className="flex flex-wrap gap-2">
      <CopyButton size="sm" text={pem} label={texts.copyPem} copiedLabel={texts.copied} />
      <CopyButton size="sm" text={JSON.stringify(jwk)} label={texts.copyJwk} copiedLabel={texts.copied} />
    </div>
  </>
);
