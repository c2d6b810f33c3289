import process from 'node:process';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Koa's getters that parse what a client wrote: some throw, some take long, and each does it anew. */
const GETTERS =
  '/^(query|querystring|search|path|URL|href|origin|host|hostname|originalUrl|subdomains|protocol|secure|ips?)$/';
const PARSING = `[property.name=${GETTERS}]`;

export default tseslint.config(
  { ignores: ['.cache/**', 'dist/**', 'node_modules/**'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./test/tsconfig.json', './src/http/page/browser/tsconfig.json'],
        tsconfigRootDir: process.cwd(),
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          `MemberExpression[object.name=/^(ctx|context)$/]${PARSING}`,
          `MemberExpression[object.property.name='request']${PARSING}`,
          `VariableDeclarator[init.name=/^(ctx|context)$/] > ObjectPattern > Property[key.name=${GETTERS}]`,
          `ObjectPattern[typeAnnotation.typeAnnotation.typeName.name=/Context$/] > Property[key.name=${GETTERS}]`,
        ].map((selector) => ({
          selector,
          message: 'ctx.state.target and parametersOf read the target.',
        })),
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'tools/**/*.ts'],
    rules: {
      // node:test returns promises from `it` and `describe` that its runner awaits itself.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: 'node:test', name: ['it', 'describe'] },
          ],
        },
      ],
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Use createRandom(SEED) of test/support.' },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/support/properties.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: 'fast-check', message: 'Use test/support/properties.ts, which sets the seed.' },
      ],
    },
  },
);
