/** Labels of a target, by name. */
export type Labels = Record<string, string>;

interface Rule {
  source: string[];
  regex: string;
  target: string;
  replacement: string;
  action: string;
}

/** The rules of `discovery.relabel` in a configuration of Alloy, in order. */
export function rulesIn(configuration: string): Rule[] {
  const [, block = ''] = /^discovery\.relabel [^{]+\{\n([^]*?)^\}/m.exec(configuration) ?? [];
  return [...block.matchAll(/rule \{([^}]+)\}/g)].map(([, rule = '']) => {
    const text = (name: string) =>
      new RegExp(`^ *${name} *= *"([^"]*)"$`, 'm').exec(rule)?.[1] ?? undefined;
    const [, sources = ''] = /source_labels *= *\[([^\]]*)\]/.exec(rule) ?? [];
    return {
      source: [...sources.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
      regex: text('regex') ?? '(.*)',
      target: text('target_label') ?? '',
      replacement: text('replacement') ?? '$1',
      action: text('action') ?? 'replace',
    };
  });
}

/** The labels after all rules, as Prometheus and Alloy apply them; undefined for a dropped target. */
export function relabel(target: Labels, rules: Rule[]): Labels | undefined {
  const labels = { ...target };
  for (const { source, regex, target: name, replacement, action } of rules) {
    const value = source.map((label) => labels[label] ?? '').join(';');
    const found = new RegExp(`^(?:${regex})$`).exec(value);
    if (action === 'keep') {
      if (!found) return undefined;
    } else if (action === 'replace') {
      if (found)
        labels[name] = replacement.replace(/\$(\d)/g, (_, n: string) => found[Number(n)] ?? '');
    } else throw new Error(`no action that is known here: ${action}`);
  }
  return labels;
}
