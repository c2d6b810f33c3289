import { requireNode } from './require-node.js';

requireNode();
await import('../worker.js');
