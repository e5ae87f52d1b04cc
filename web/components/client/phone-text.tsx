import { usePhones } from './use-phones.ts';

/**
 * A stored phone, spaced as in its country. The gaps are margins: what is copied, found or read aloud is the stored
 * text (INPUT-02).
 */
export function PhoneText({ phone }: { phone: string }) {
  const groups = usePhones(phone !== '')?.phoneGroups(phone) ?? [phone];
  if (groups.length === 1) return phone;
  return (
    <span className="whitespace-nowrap">
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two groups may be equal and never change places
        <span key={index} className={index > 0 ? 'ms-[0.3em]' : undefined}>
          {group}
        </span>
      ))}
    </span>
  );
}
