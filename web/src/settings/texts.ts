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
    domain: 'Domain',
    messages: 'Messages',
    events: 'Events',
    requests: 'Requests',
    audit: 'Audit log',
    dataExport: 'Data export',
  },
  groups: { developers: 'Developers', company: 'Company', documents: 'Documents', records: 'Records' },
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
    domain: 'Dominio',
    messages: 'Mensajes',
    events: 'Eventos',
    requests: 'Solicitudes',
    audit: 'Registro de auditoría',
    dataExport: 'Exportación de datos',
  },
  groups: { developers: 'Desarrollo', company: 'Empresa', documents: 'Documentos', records: 'Registros' },
  teamPlan: 'Esto requiere el plan Team o superior. Pida a su administrador que cambie el plan.',
  never: 'nunca',
  actions: 'Acciones',
};

export const settingsText = inLanguage(english, spanish);
