import './styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiFailure } from './api/client.ts';
import { createConsoleRouter } from './router.tsx';

const queryClient = new QueryClient({
  defaultOptions: {
    // A device that is offline fails at once, and the page says so. By default requests would wait silently.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      // A refused request would fail again. A connection may come back.
      retry: (tries, error) => tries < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
    },
  },
});

createRoot(document.getElementById('console') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createConsoleRouter(queryClient)} />
    </QueryClientProvider>
  </StrictMode>,
);
