/** How many tags a row shows; the title has all. */
const SHOWN = 2;

/** The tags of a record in its row of a list. A narrow row leaves them out (DESK-03). */
export const RowTags = ({ tags = [] }: { tags: readonly string[] | undefined }) =>
  tags.length > 0 && (
    <p title={tags.join(', ')} className="col-span-2 flex gap-1 text-xs @max-[36rem]/data-table:hidden">
      {tags.slice(0, SHOWN).map((tag) => (
        <bdi key={tag} className="min-w-0 truncate rounded-full border border-border px-1.5 text-muted">
          {tag}
        </bdi>
      ))}
      {tags.length > SHOWN && <span className="text-muted">+{tags.length - SHOWN}</span>}
    </p>
  );
