export { isReply, nothingIfWrongType } from './errors.js';
