import encodeQR from 'qr';

/** The width of the white margin around the code, in modules (ISO/IEC 18004: four). */
const QUIET = 4;

/**
 * A QR code, black on white in both themes, because scanners need that.
 * @param label the accessible name
 */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const side = rows.length;
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
