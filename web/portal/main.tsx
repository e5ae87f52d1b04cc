import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { followHistory } from './address.ts';
import { askHealth, watchNetwork } from './connection.ts';
import { takeLinkToken } from './link-token.ts';
import './portal.css';
import { Portal } from './portal.tsx';
import { followDeviceTheme } from './theme.ts';

/**
 * The entry file of the client portal. It imports nothing of the console and shares no stored data with it
 * (PORTAL-02).
 */

// First, so that nothing else can read the token in the address.
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
