interface SumProps {
  label: string;
  amount: string;
  isLast?: boolean;
}

/** A line under what is paid: a label and its amount. The last one is what it comes to. */
export const Sum = ({ label, amount, isLast = false }: SumProps) => (
  <div className={`flex justify-between gap-4 ${isLast ? 'text-base font-semibold' : 'text-muted'}`}>
    <dt>{label}</dt>
    <dd className="whitespace-nowrap">{amount}</dd>
  </div>
);
