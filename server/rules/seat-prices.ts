/** Prices of seats in whole minor units, each rounded once, half up. BigInt, so that no amount is wrong by one. */

/** Divides and rounds; both are positive. */
const rounded = (dividend: bigint, divisor: bigint): number =>
  Number((2n * dividend + divisor) / (2n * divisor));

/** What a type sells: its price in minor units, and its seats. */
type Sold = { cents: number; seats: number };

/**
 * The price of more seats of a type until the end of a licence (MONEY-08).
 * @param days how many are left, and how many the current term has; null for a licence without an end
 */
export function seatsPrice(
  { cents, seats }: Sold,
  quantity: number,
  days: { left: number; ofTerm: number } | null,
): number {
  const { left, ofTerm } = days ?? { left: 1, ofTerm: 1 };
  const dividend = BigInt(cents) * BigInt(quantity) * BigInt(Math.max(1, left));
  return rounded(dividend, BigInt(seats) * BigInt(ofTerm));
}

/** The price of a renewal: the type's, and as much for each seat that was bought as for one of the type's (MONEY-08). */
export const priceWithSeats = ({ cents, seats }: Sold, bought: number): number =>
  rounded(BigInt(cents) * BigInt(seats + bought), BigInt(seats));
