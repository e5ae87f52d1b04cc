/**
 * The product's logo, the same key as in the favicon. It stands beside the name, so it is hidden from screen readers.
 */
export function BrandMark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="8" className="fill-brand" />
      <g
        fill="none"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-brand"
      >
        <circle cx="11.5" cy="20.5" r="4.5" />
        <path d="m14.7 17.3 8.3-8.3m-3 3 3 3m-6 0 2 2" />
      </g>
    </svg>
  );
}
