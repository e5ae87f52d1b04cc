/** The full name of a user; the last name may be empty. */
export const fullName = ({ names, last_name }: { names: string; last_name: string }): string =>
  `${names} ${last_name}`.trim();
