/** How many tags a row shows; the title has all. */
const SHOWN = 2;

/** The tags of a record in its row of a list. A narrow row leaves them out (DESK-03). */
export const RowTags = ({ tags = [] }: { tags: readonly string[] | undefined }) =>
  tags.length > 0 && (
    // Without a width of its own, so that tags widen no column.
    <p
      title={tags.join(', ')}
      className="mt-0.5 flex w-0 min-w-full flex-wrap items-center gap-1 text-xs @max-[36rem]/data-table:hidden"
    >
      {tags.slice(0, SHOWN).map((tag) => (
        <bdi key={tag} className="max-w-full truncate rounded-full border border-border px-1.5 text-muted">
          {tag}
        </bdi>
      ))}
      {tags.length > SHOWN && (
        <span className="shrink-0 whitespace-nowrap text-muted">+{tags.length - SHOWN}</span>
      )}
    </p>
  );
