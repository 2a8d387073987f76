import { inLanguage } from '../language.ts';

const english = {
  plan: 'Plan',
  tiers: { free: 'Free', starter: 'Starter', pro: 'Pro', team: 'Team', enterprise: 'Enterprise' } as Record<
    string,
    string
  >,
  intro: 'What your plan allows, and what was used of it. Days and months are UTC.',
  noApi: "Your plan doesn't include API access. Ask your administrator to upgrade.",
  meters: {
    minute: 'API requests this minute',
    day: 'API requests today',
    files: 'Imported files today',
    storage: 'Import storage this month',
    credits: 'Credits',
  },
  of: '{used} of {limit}',
  reserved: '{bytes} more are held by imports that are running.',
  credits: '{n} left',
  due: '{n} more are added this month when they are needed.',
  charts: {
    requests: 'API requests',
    files: 'Imported files',
    bytes: 'Import storage',
    credits: 'Credits used',
  },
  chartLabel: '{name}, the last thirty days: {total} in all, at most {max} on one day',
  total: '{total} in 30 days',
  asTable: 'As a table',
  columns: {
    day: 'Day',
    requests: 'Requests',
    refused: 'Refused (4xx)',
    failed: 'Failed (5xx)',
    files: 'Files',
    bytes: 'Storage',
    credits: 'Credits',
  },
  ledger: 'Ledger of credits',
  ledgerColumns: { at: 'When', reason: 'What for', amount: 'Amount', balance: 'Balance' },
  reasons: {
    'added by the operator': 'Added by the operator',
    'monthly credits of the plan': 'Monthly credits of the plan',
    'unlocked a document': 'A document was unlocked',
  } as Record<string, string>,
  noLedger: 'No credits were added or used yet. Unlocking a document costs one a page.',
};

const spanish: typeof english = {
  plan: 'Plan',
  tiers: { free: 'Gratuito', starter: 'Starter', pro: 'Pro', team: 'Team', enterprise: 'Enterprise' },
  intro: 'Lo que permite su plan y lo que se ha usado. Los días y los meses son UTC.',
  noApi: 'Este plan no da acceso a la API. Pida a quien administra este servicio que lo cambie.',
  meters: {
    minute: 'Peticiones a la API en este minuto',
    day: 'Peticiones a la API hoy',
    files: 'Archivos importados hoy',
    storage: 'Almacenamiento de importación este mes',
    credits: 'Créditos',
  },
  of: '{used} de {limit}',
  reserved: 'Otros {bytes} están reservados por importaciones en curso.',
  credits: 'Quedan {n}',
  due: 'Este mes se añaden otros {n} cuando hagan falta.',
  charts: {
    requests: 'Peticiones a la API',
    files: 'Archivos importados',
    bytes: 'Almacenamiento de importación',
    credits: 'Créditos usados',
  },
  chartLabel: '{name}, los últimos treinta días: {total} en total, como mucho {max} en un día',
  total: '{total} en 30 días',
  asTable: 'Como tabla',
  columns: {
    day: 'Día',
    requests: 'Peticiones',
    refused: 'Rechazadas (4xx)',
    failed: 'Fallidas (5xx)',
    files: 'Archivos',
    bytes: 'Almacenamiento',
    credits: 'Créditos',
  },
  ledger: 'Libro de créditos',
  ledgerColumns: { at: 'Cuándo', reason: 'Concepto', amount: 'Importe', balance: 'Saldo' },
  reasons: {
    'added by the operator': 'Añadidos por el administrador del servicio',
    'monthly credits of the plan': 'Créditos mensuales del plan',
    'unlocked a document': 'Se desbloqueó un documento',
  },
  noLedger: 'Todavía no se han añadido ni usado créditos. Desbloquear un documento cuesta uno por página.',
};

export const usageText = inLanguage(english, spanish);
