import './zod.ts';
import './styles/index.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { checkSession } from './api/auth-api.ts';
import { recallTimeZone } from './api/health-api.ts';
import { keepRenewed } from './api/http.ts';
import { makeQueryClient } from './api/query-client.ts';
import { adoptStoredSession, currentToken, followOtherTabs } from './api/session.ts';
import { connectSession, followScreens, router } from './router.tsx';
import { UiProvider } from './ui/ui-provider.tsx';

/** The console's composition root: session, cache, router, and the kit around them. */
const queryClient = makeQueryClient();

recallTimeZone();
adoptStoredSession();
followOtherTabs();
connectSession(queryClient);
followScreens();
keepRenewed();
// Who the server thinks we are, asked beside the first screen and not before it (D120).
if (currentToken() !== null) void checkSession();

const root = document.getElementById('root');
if (root === null) throw new Error('#root is missing from index.html');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <UiProvider>
        <RouterProvider router={router} />
      </UiProvider>
    </QueryClientProvider>
  </StrictMode>,
);
