import { inLanguage } from '../language.ts';

const english = {
  title: 'Settings',
  tabs: {
    keys: 'API keys',
    webhooks: 'Webhooks',
    connections: 'Connections',
    usage: 'Plan and usage',
    members: 'Members',
    folders: 'Folders',
    sso: 'Single sign-on',
    restricted: 'Restricted papers',
    sending: 'Sending',
    signing: 'Signing',
    notices: 'Notices',
    branding: 'Branding',
    messages: 'Messages',
    events: 'Events',
    requests: 'Requests',
    audit: 'Audit log',
    dataExport: 'Data export',
  },
  shownOnce: 'Copy it now: it won’t be shown again.',
  saved: 'I have saved it',
  teamPlan: 'This requires the Team plan or above. Ask your administrator to upgrade.',
  never: 'never',
  actions: 'Actions',
};

const spanish: typeof english = {
  title: 'Ajustes',
  tabs: {
    keys: 'Claves de API',
    webhooks: 'Webhooks',
    connections: 'Conexiones',
    usage: 'Plan y uso',
    members: 'Miembros',
    folders: 'Carpetas',
    sso: 'Inicio de sesión único',
    restricted: 'Documentos restringidos',
    sending: 'Envío',
    signing: 'Firma',
    notices: 'Avisos',
    branding: 'Marca',
    messages: 'Mensajes',
    events: 'Eventos',
    requests: 'Solicitudes',
    audit: 'Registro de auditoría',
    dataExport: 'Exportación de datos',
  },
  shownOnce: 'Cópielo ahora: no se volverá a mostrar.',
  saved: 'Ya lo he guardado',
  teamPlan: 'Esto requiere el plan Team o superior. Pida a su administrador que cambie el plan.',
  never: 'nunca',
  actions: 'Acciones',
};

export const settingsText = inLanguage(english, spanish);
