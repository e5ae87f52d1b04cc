import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { clientNameQuery, type PickedClient } from '../record/catalogue-queries.ts';
import { ClientPicker } from './client-picker.tsx';

/** The client picker of a filter, which only has the id of the chosen client; '' means none. */
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
