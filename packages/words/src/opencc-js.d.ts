declare module 'opencc-js/dict/TSCharacters' {
  /** 'traditional simplified|traditional simplified …' */
  const pairs: string;

  export { pairs as default };
}
