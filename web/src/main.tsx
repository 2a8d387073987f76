import './styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiFailure } from './api/client.ts';
import { createConsoleRouter } from './router.tsx';

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refused request would fail again. A connection may come back.
      retry: (tries, error) => tries < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
    },
  },
});

// A new version of the service has replaced the files of this page.
addEventListener('vite:preloadError', () => location.reload());

createRoot(document.getElementById('console') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createConsoleRouter(queryClient)} />
    </QueryClientProvider>
  </StrictMode>,
);
