import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askHealth, watchNetwork } from '../connection.ts';
import '../portal.css';
import { followDeviceTheme } from '../theme.ts';
import { PayScreen } from './pay-screen.tsx';

/**
 * The entry file of the payment page for clients. It works also if the portal is switched off, and needs no session
 * (PAY-02).
 */

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
