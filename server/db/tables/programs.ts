/** The keys that sign answers for installed programs (PROG-01). One is current, one is next. */
export type SigningKeysTable = {
  /** The thumbprint of the public key (RFC 7638). */
  kid: string;
  state: 'current' | 'next' | 'retired';
  /** JSON: the public key as a JWK. */
  public_key: string;
  /** The private key, encrypted under SECRET_KEY. */
  private_key: string;
  created_at: string;
  current_since: string | null;
  retired_at: string | null;
  /** The last end of the files that it signed; null without any. */
  files_end: string | null;
};

export type ProgramTables = { signing_keys: SigningKeysTable };
