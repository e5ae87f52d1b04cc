/** The next `updated_at`: now, but later than the previous one, so that two saves never share a version. */
export function nextVersion(previous: string, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}

/** The entity tag of a record's version. */
export const etagOf = (updatedAt: string) => `"${updatedAt}"`;

/**
 * True when a save may proceed: it names no version, or the stored one (D091).
 * @param ifMatch the If-Match header; a list of tags and `*` are accepted, as in HTTP
 */
export function isCurrentVersion(
  stored: string,
  claim: { updatedAt?: string | undefined; ifMatch?: string | undefined },
): boolean {
  if (claim.ifMatch !== undefined && claim.ifMatch.trim() !== '*') {
    const tags = claim.ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    if (!tags.includes(etagOf(stored))) return false;
  }
  return claim.updatedAt === undefined || Date.parse(claim.updatedAt) === Date.parse(stored);
}
