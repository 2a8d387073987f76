import { describe, expect, test } from 'vitest';
import { findColumns, templateColumns } from './columns.ts';
import { bulkRowsMax, csvBytesMax, csvColumnsMax, readCsv } from './read-csv.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readCsv(utf8(text));
const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();

describe('a CSV file', () => {
  test('is read in the encodings and with the separators that spreadsheets use', async () => {
    const text = 'Nombre;Correo\r\nBegoña Ñíguez;ana@example.com\r\n';
    const table = {
      ok: true,
      header: ['Nombre', 'Correo'],
      rows: [{ number: 2, cells: ['Begoña Ñíguez', 'ana@example.com'] }],
    };
    expect(await read(text)).toEqual(table);
    expect(await read(`\ufeff${text}`)).toEqual(table);
    expect(await readCsv(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(table);
    expect(await readCsv(utf16be(text))).toEqual(table);
    expect(await readCsv(Buffer.from(text, 'latin1'))).toEqual(table);
    expect(await read(text.replaceAll(';', ',').replaceAll('\r\n', '\n'))).toEqual(table);
    expect(await read(text.replaceAll(';', '\t').replaceAll('\r\n', '\r'))).toEqual(table);
  });

  test('in UTF-8 with a broken character is refused, and never read in another encoding', async () => {
    const broken = (text: string) => readCsv(Buffer.concat([utf8(text), Buffer.from('\xe9t\n', 'latin1')]));
    const fault = { ok: false, fault: 'broken_text' };
    expect(await broken('Name,Note\nJosé,ok\nZoë,')).toEqual({ ...fault, row: 3 });
    expect(await broken('Name,Note\nJosé,ok\n\n"Ada\nL.",')).toEqual({ ...fault, row: 4 });
    expect(await broken('\ufeffName,Note\nJose,')).toEqual({ ...fault, row: 2 });
    expect(await broken('Año,Not')).toEqual({ ...fault, row: 1 });
    expect(await broken('Name,Note\nJose,')).toMatchObject({ rows: [{ cells: ['Jose', 'ét'] }] });
    // A character that another program lost is no fault of the encoding.
    expect(await read('Name\nJos\ufffd\n')).toMatchObject({ rows: [{ cells: ['Jos\ufffd'] }] });
  });

  test('keeps separators and line breaks in quotes, and numbers rows as spreadsheets do', async () => {
    const found = await read('"Name, first","Note"\n"Ada ""A.""","two\nlines"\n\n,\nGrace\nMary,x,y\n');
    expect(found).toEqual({
      ok: true,
      header: ['Name, first', 'Note'],
      rows: [
        { number: 2, cells: ['Ada "A."', 'two\nlines'] },
        { number: 5, cells: ['Grace'] },
        { number: 6, cells: ['Mary', 'x', 'y'] },
      ],
    });
  });

  test('may have spaces around quotes', async () => {
    const table = {
      ok: true,
      header: ['Name', 'Note'],
      rows: [{ number: 2, cells: ['Ada "A."', 'two\nlines'] }],
    };
    expect(await read('Name, "Note"\n"Ada ""A.""", "two\nlines"\n')).toEqual(table);
    expect(await read('"Name" ;"Note"\r\n "Ada ""A."""  ;"two\nlines" \r\n')).toEqual(table);
    expect(await read('"Name" \t "Note"\n"Ada ""A."""\t"two\nlines"\n\t \n')).toEqual(table);
  });

  test('is refused with its reason when nothing can be read', async () => {
    expect(await read('')).toEqual({ ok: false, fault: 'empty' });
    expect(await read(' \r\n;;\r\n')).toEqual({ ok: false, fault: 'empty' });
    expect(await read('Name,Email\n,\n')).toEqual({ ok: false, fault: 'no_rows' });
    expect(await read('Name\nA\u0000da\n')).toEqual({ ok: false, fault: 'not_text' });
    expect(await readCsv(Buffer.from('504b0304140006000800', 'hex'))).toEqual({ ok: false, fault: 'workbook' });
    expect(await read('Name\nAda\n"Grace\n')).toEqual({ ok: false, fault: 'open_quote', row: 3 });
    expect(await read('Name\n"Ada"x"\n')).toEqual({ ok: false, fault: 'misplaced_quote', row: 2 });
    expect(await read('Name\nAda\n5" pipe\n')).toEqual({ ok: false, fault: 'misplaced_quote', row: 3 });
    expect(await read(`Name\nAda\n${'x'.repeat(2 ** 20 + 2)}\n`)).toEqual({
      ok: false,
      fault: 'row_too_large',
      row: 3,
    });
    expect(await read('sep=;\r\n')).toEqual({ ok: false, fault: 'empty' });
  });

  test('may name its separator in a line above the header, as some programs do for Excel', async () => {
    const table = { ok: true, header: ['Name', 'Rent, in €'], rows: [{ number: 2, cells: ['Ada', '1'] }] };
    expect(await read('sep=;\r\nName;Rent, in €\r\nAda;1\r\n')).toEqual(table);
    expect(await read('\ufeff"SEP=|"\nName|Rent, in €\nAda|1\n')).toEqual(table);
    expect(await read('sep=\t\nName\tRent, in €\nAda\t1\n')).toEqual(table);
    expect(await read('sep=x;Name\nAda;1\n')).toMatchObject({ header: ['sep=x', 'Name'] });
  });

  test('has at most 10,000 rows and 200 columns', async () => {
    const rows = (count: number) => read(`Name\n${'Ada\n'.repeat(count)}`);
    expect(await rows(bulkRowsMax)).toMatchObject({ ok: true, rows: { length: bulkRowsMax } });
    expect(await rows(bulkRowsMax + 1)).toEqual({ ok: false, fault: 'too_many_rows' });
    expect(await read(`${'a,'.repeat(csvColumnsMax - 1)}a\nAda\n`)).toMatchObject({ ok: true });
    expect(await read(`${'a,'.repeat(csvColumnsMax)}a\nAda\n`)).toMatchObject({ fault: 'too_many_columns' });
    // The two columns in front of a file of unsent rows don't count.
    const unsent = (count: number) => `Row,Problem${',a'.repeat(count)}\n2,missing${',Ada'.repeat(count)}\n`;
    expect(await read(unsent(csvColumnsMax))).toMatchObject({ ok: true });
    expect(await read(unsent(csvColumnsMax + 1))).toMatchObject({ fault: 'too_many_columns' });
    const repeated = `${'Row,Problem,'.repeat(csvColumnsMax)}a\nAda\n`;
    expect(await read(repeated)).toMatchObject({ fault: 'too_many_columns' });
  });

  test('of unsent rows may have rows whose values were emptied, which are left out', async () => {
    const found = await read('Row,Problem,Name,Note\n3,person erased\n4,Name: missing,,\n5,Note: missing,Ada,\n');
    expect(found).toMatchObject({ ok: true, rows: [{ number: 4, cells: ['5', 'Note: missing', 'Ada', ''] }] });
    expect(await read('Fila,Problema,Name\n3,erased,\n')).toEqual({ ok: false, fault: 'no_rows' });
    expect(await read('Row,Name\n3,\n')).toMatchObject({ rows: [{ cells: ['3', ''] }] });
  });

  test('of the largest size is refused in bounded time, also when it is made to be slow', async () => {
    const before = process.cpuUsage();
    for (const mark of ['"', ',', 'a"b']) {
      const text = mark.repeat(Math.floor(csvBytesMax / mark.length));
      expect(await read(`Name\n${text}`), mark).toMatchObject({ ok: false });
    }
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
  });
});

describe('the columns of a template', () => {
  const recipient = {
    email: null,
    phone: null,
    party_role: null,
    channel: 'email',
    auth_level: 'l0_email_link',
  } as const;
  const tenant = { ...recipient, id: 'a', display_name: 'Tenant' };
  const landlord = { ...recipient, id: 'b', display_name: 'Landlord', auth_level: 'l1_email_sms_otp' as const };
  const office = { ...recipient, id: 'c', display_name: 'Office', email: 'office@example.com' };

  test('are found by role, in both languages and in any spelling', () => {
    const columns = templateColumns([tenant, landlord, office]);
    const sampled = columns.filter(({ isSampled }) => isSampled).map(({ label }) => label.en);
    expect(sampled).toEqual([
      'Tenant name',
      'Tenant email',
      'Landlord name',
      'Landlord email',
      'Landlord phone',
      'Title',
    ]);
    const header = ['TENANT  Name', 'Tenant e-mail', 'Landlord nombre', 'Correo Landlord', 'Teléfono Landlord', 'Town'];
    expect(findColumns(header, columns)).toEqual({
      targets: ['a name', 'a email', 'b name', 'b email', 'b phone', ''],
      faults: [],
    });
  });

  test('that are missing or named twice are faults', () => {
    const { targets, faults } = findColumns(['Name', 'name', 'Título'], templateColumns([tenant, office]));
    expect(targets).toEqual(['a name', 'a name', 'title']);
    expect(faults.map(({ code, label }) => [code, label.en])).toEqual([
      ['duplicate_column', 'Tenant name'],
      ['missing_column', 'Tenant email'],
    ]);
  });

  test('of two roles with one name are told apart', () => {
    const columns = templateColumns([tenant, { ...tenant, id: 'd' }]);
    expect(findColumns(['Tenant name', 'Tenant 2 name'], columns).targets).toEqual(['a name', 'd name']);
  });
});
