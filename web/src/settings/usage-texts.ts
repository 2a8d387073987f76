import { inLanguage } from '../language.ts';

const english = {
  plan: 'Plan',
  tiers: { free: 'Free', starter: 'Starter', pro: 'Pro', team: 'Team', enterprise: 'Enterprise' } as Record<
    string,
    string
  >,
  intro: 'The limits of your plan and your usage. Days and months are UTC.',
  noApi: 'Your plan doesn’t include API access. Ask your administrator to upgrade.',
  meters: {
    minute: 'API requests this minute',
    day: 'API requests today',
    files: 'Imported files today',
    storage: 'Import storage this month',
    credits: 'Credits',
  },
  of: '{used} of {limit}',
  reserved: 'Running imports reserve another {bytes}.',
  credits: '{n} left',
  due: '{n} more are added when a document is unlocked this month. A month in which nothing is unlocked adds none.',
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
  ledger: 'Credit history',
  ledgerColumns: { at: 'When', reason: 'Reason', amount: 'Amount', balance: 'Balance' },
  reasons: {
    'added by the operator': 'Added by the operator',
    'monthly credits of the plan': 'Monthly credits of the plan',
    'unlocked a document': 'Unlocked a document',
  } as Record<string, string>,
  noLedger: 'No credits added or used yet. Unlocking a document costs one credit a page.',
};

const spanish: typeof english = {
  plan: 'Plan',
  tiers: { free: 'Gratuito', starter: 'Starter', pro: 'Pro', team: 'Team', enterprise: 'Enterprise' },
  intro: 'Los límites de su plan y su uso. Los días y los meses son UTC.',
  noApi: 'Su plan no incluye acceso a la API. Pida a su administrador que lo cambie.',
  meters: {
    minute: 'Solicitudes a la API en este minuto',
    day: 'Solicitudes a la API hoy',
    files: 'Archivos importados hoy',
    storage: 'Almacenamiento de importación este mes',
    credits: 'Créditos',
  },
  of: '{used} de {limit}',
  reserved: 'Las importaciones en curso reservan otros {bytes}.',
  credits: 'Quedan {n}',
  due: 'Se añadirán otros {n} al desbloquear un documento este mes. Un mes sin desbloqueos no añade ninguno.',
  charts: {
    requests: 'Solicitudes a la API',
    files: 'Archivos importados',
    bytes: 'Almacenamiento de importación',
    credits: 'Créditos usados',
  },
  chartLabel: '{name}, los últimos treinta días: {total} en total, como mucho {max} en un día',
  total: '{total} en 30 días',
  asTable: 'Como tabla',
  columns: {
    day: 'Día',
    requests: 'Solicitudes',
    refused: 'Rechazadas (4xx)',
    failed: 'Fallidas (5xx)',
    files: 'Archivos',
    bytes: 'Almacenamiento',
    credits: 'Créditos',
  },
  ledger: 'Historial de créditos',
  ledgerColumns: { at: 'Cuándo', reason: 'Concepto', amount: 'Importe', balance: 'Saldo' },
  reasons: {
    'added by the operator': 'Añadidos por el administrador del servicio',
    'monthly credits of the plan': 'Créditos mensuales del plan',
    'unlocked a document': 'Se desbloqueó un documento',
  },
  noLedger: 'Aún no se han añadido ni usado créditos. Desbloquear un documento cuesta un crédito por página.',
};

export const usageText = inLanguage(english, spanish);
