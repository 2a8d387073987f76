import { badSetting, type SettingReader } from './setting-reader.ts';
import type { RetentionSettings } from './settings.ts';

const daysMax = 36_500;

export function readRetention(setting: SettingReader): RetentionSettings {
  const eventsDays = daysOrForever(setting, 'RETAIN_EVENTS_DAYS', null);
  const deliveriesDays = daysOrForever(setting, 'RETAIN_DELIVERIES_DAYS', eventsDays);
  if (eventsDays !== null && (deliveriesDays === null || deliveriesDays > eventsDays)) {
    throw badSetting('RETAIN_DELIVERIES_DAYS', `must be at most RETAIN_EVENTS_DAYS, which is ${eventsDays}`);
  }
  return {
    eventsDays,
    deliveriesDays,
    messagesDays: daysOrForever(setting, 'RETAIN_MESSAGES_DAYS', null),
    mailboxDays: daysOrForever(setting, 'RETAIN_MAILBOX_DAYS', null),
    requestLogDays: setting.integer('RETAIN_REQUEST_LOG_DAYS', 7, 1, daysMax),
    sessionsDays: setting.integer('RETAIN_SESSIONS_DAYS', 0, 0, daysMax),
    removedFilesDays: setting.integer('RETAIN_REMOVED_FILES_DAYS', 7, 0, daysMax),
  };
}

function daysOrForever(setting: SettingReader, name: string, fallback: number | null): number | null {
  const value = setting.text(name);
  if (value === null) return fallback;
  if (value === 'forever') return null;
  const days = /^\d+$/.test(value) ? Number(value) : 0;
  if (!(days >= 1 && days <= daysMax)) throw badSetting(name, `must be forever, or days from 1 to ${daysMax}`);
  return days;
}
