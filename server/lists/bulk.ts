/** What a bulk call answers: how many records it changed, and which of the ids name none. */
export function bulkAnswer(ids: number[], changed: number[]) {
  const found = new Set(changed);
  return {
    success: true as const,
    updated: found.size,
    not_found: [...new Set(ids)].filter((id) => !found.has(id)),
  };
}
