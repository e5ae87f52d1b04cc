import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followHistory } from './address.ts';
import { askHealth, watchNetwork } from './connection.ts';
import { takeLinkToken } from './link-token.ts';
import './portal.css';
import { Portal } from './portal.tsx';
import { followDeviceTheme } from './theme.ts';

/** Where the clients' portal begins. It knows nothing of the console, and stores nothing of it (PORTAL-02). */

// First of all: the token leaves the address before anything else can read it.
takeLinkToken();
followDeviceTheme();
followHistory();
watchNetwork();
void askHealth();

const root = document.getElementById('root');
if (root === null) throw new Error('#root is missing from portal.html');

createRoot(root).render(
  <StrictMode>
    <Portal />
  </StrictMode>,
);
