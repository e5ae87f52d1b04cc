import type { TaggedKind } from '../../../contract/tags/tags.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { tagTexts } from '../../text/es-tags.ts';
import { Badge } from '../../ui/badge.tsx';

/** The tags of a record in its details, each a link to the list of all that have it (DESK-03). */
export const TagLinks = ({ on, tags }: { on: TaggedKind; tags: readonly string[] }) => (
  <ul className="flex flex-wrap gap-1.5">
    {tags.map((tag) => (
      <li key={tag} className="max-w-full">
        <Link
          to={PATHS[on]}
          search={{ tag }}
          aria-label={tagTexts.seeAll(tag)}
          className="inline-flex min-h-6 max-w-full items-center rounded-full hover:underline pointer-coarse:min-h-11"
        >
          <Badge tone="neutral" dot={false}>
            <bdi>{tag}</bdi>
          </Badge>
        </Link>
      </li>
    ))}
  </ul>
);
