import ts from 'typescript';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject } from './kubectl.js';

/** A file that does not exist on disk. Its path lets the compiler find the packages. */
const FILE = fileURLToPath(new URL('rendered-objects.ts', import.meta.url));

/**
 * The messages of the TypeScript compiler about unknown fields, missing fields and wrong types of the objects. The types
 * come from `kubernetes-types`, which generates them from the API description of Kubernetes.
 */
export function schemaFaults(objects: KubernetesObject[]): string[] {
  const source = objects.map(declaration).join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([FILE], options, {
    ...host,
    readFile: (name) => (name === FILE ? source : host.readFile(name)),
    fileExists: (name) => name === FILE || host.fileExists(name),
    getSourceFile: (name, version) =>
      name === FILE
        ? ts.createSourceFile(name, source, version)
        : host.getSourceFile(name, version),
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map((fault) => ts.flattenDiagnosticMessageText(fault.messageText, ' '));
}

function declaration(object: KubernetesObject, index: number): string {
  const { apiVersion, kind } = object;
  const module = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io/', '/');
  const type = `import('kubernetes-types/${module}.js').${kind}`;
  return `export const object${index}: ${type} = ${JSON.stringify(object, null, 1)};`;
}
