import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askHealth, watchNetwork } from '../connection.ts';
import '../portal.css';
import { followDeviceTheme } from '../theme.ts';
import { PayScreen } from './pay-screen.tsx';

/** Where the page begins on which a client pays. It stands beside the portal, open or not, and needs no session (PAY-02). */

followDeviceTheme();
watchNetwork();
void askHealth();

const root = document.getElementById('root');
if (root === null) throw new Error('#root is missing from pagar.html');

createRoot(root).render(
  <StrictMode>
    <PayScreen />
  </StrictMode>,
);
