/**
 * Joins modules that import each other by name into one script, which saves phones a request per module. Each module keeps
 * its own scope and comes after those it imports. `sources`: code without types, by file name. Throws for imports from
 * other folders, namespace imports and cycles.
 */
export function linkModules(entry: string, sources: ReadonlyMap<string, string>): string {
  return inOrder(entry, sources)
    .map((file) => scopeOf(file, sources.get(file) ?? ''))
    .join('');
}

const importPattern = /^import \{([^}]*)\} from '\.\/([\w-]+\.ts)';$/gm;
const exportPattern = /^export ((?:async )?function|const) (\w+)/gm;

function inOrder(entry: string, sources: ReadonlyMap<string, string>): string[] {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) throw new Error(`modules import each other in a circle: ${[...path, file].join(', ')}`);
    const source = sources.get(file);
    if (source === undefined) throw new Error(`there is no module ${file}`);
    for (const [, , imported = ''] of source.matchAll(importPattern)) visit(imported, [...path, file]);
    done.add(file);
  };
  visit(entry, []);
  return [...done];
}

function scopeOf(file: string, source: string): string {
  const exported = [...source.matchAll(exportPattern)].map(([, , name]) => name);
  const body = source
    .replace(importPattern, (_match, names: string, from: string) => {
      return `const {${names.replaceAll(' as ', ': ')}} = ${nameOf(from)};`;
    })
    .replace(exportPattern, (_match, kind: string, name: string) => `${kind} ${name}`);
  if (/^(?:import|export)\b/m.test(body)) throw new Error(`${file} imports or exports in a way that is not linked`);
  return `const ${nameOf(file)} = (() => {\n${body}\nreturn { ${exported.join(', ')} };\n})();\n`;
}

function nameOf(file: string): string {
  return `module_${file.replace(/\.ts$/, '').replaceAll('-', '_')}`;
}
