import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clientNameQuery, type PickedClient } from '../record/catalogue-queries.ts';
import { ClientPicker } from './client-picker.tsx';

/** The picker of a filter by client, which knows the chosen one only by its id; '' for none. */
export function ChosenClient({ id, onChange }: { id: string; onChange: (id: string) => void }) {
  const [picked, setPicked] = useState<PickedClient | null>(null);
  const { data } = useQuery({ ...clientNameQuery(Number(id)), enabled: id !== '' && picked === null });
  return (
    <ClientPicker
      value={id === '' ? null : (picked ?? data ?? null)}
      onChange={(client) => {
        setPicked(client);
        onChange(client === null ? '' : String(client.id));
      }}
    />
  );
}
