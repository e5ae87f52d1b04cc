import { began, queryClient } from './start.ts';
import './styles/index.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from './api/connection-watch.ts';
import { keepRenewed } from './api/http.ts';
import { fetchAhead } from './components/frame/fetch-ahead.ts';
import { InFormats } from './components/frame/in-formats.tsx';
import { codeOf, useCode } from './components/screen/code.tsx';
import { connectSession, router } from './router.tsx';
import { UiProvider } from './ui/ui-provider.tsx';

/** The composition root of the console: session, cache, router and UI provider. It runs after start.ts. */

// Preloads the font file of all screens before the first render.
void document.fonts.load('1em "Inter Variable"');

connectSession(queryClient, began);
keepRenewed();
watchConnection(queryClient);

const floating = codeOf(() => import('./ui/floating.tsx'));

/** Loads tooltips and toasts after the first paint. An earlier toast is shown once they are loaded. */
function FloatingLater() {
  const { module } = useCode(floating);
  return module && <module.Floating />;
}

const root = document.getElementById('root');
if (root === null) throw new Error('#root is missing from index.html');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <UiProvider>
        <InFormats>
          <RouterProvider router={router} />
          <FloatingLater />
        </InFormats>
      </UiProvider>
    </QueryClientProvider>
  </StrictMode>,
);

void fetchAhead(queryClient);
