/** The answer of a bulk call: the number of changed records, and the ids that do not exist. */
export function bulkAnswer(ids: number[], changed: number[]) {
  const found = new Set(changed);
  return {
    success: true as const,
    updated: found.size,
    not_found: [...new Set(ids)].filter((id) => !found.has(id)),
  };
}
