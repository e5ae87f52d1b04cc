type Named = { names: string; last_name: string; email?: string };

/** The full name of a user; the email until an invited person says the own name. */
export const fullName = ({ names, last_name, email }: Named): string =>
  `${names} ${last_name}`.trim() || (email ?? '');
