export type Language = 'en' | 'fr' | 'de' | 'pl' | 'tr' | 'vi' | 'ja' | 'ar' | 'es';
export type DemoFileKind = 'pdf' | 'docx' | 'doc' | 'txt';

export type Paper = {
  /** The sample is `demo-samples/SAMPLE-LANGUAGE.KIND`. */
  sample:
    | 'call-log'
    | 'contract'
    | 'delivery-note'
    | 'invoice'
    | 'letter'
    | 'meeting-notes'
    | 'offer'
    | 'proof-of-address';
  kind: DemoFileKind;
  /** The file's name without extension. `{year}`, `{number}`, `{name}`, `{city}` are filled in. */
  title: string;
  description: string | null;
};

export const papers: Record<Language, Paper[]> = {
  en: [
    { sample: 'contract', kind: 'pdf', title: 'Contract {year}', description: 'Signed copy' },
    { sample: 'invoice', kind: 'pdf', title: 'Invoice {year}-{number}', description: null },
    {
      sample: 'meeting-notes',
      kind: 'docx',
      title: 'Meeting notes {name}',
      description: 'Notes from the yearly review',
    },
    {
      sample: 'proof-of-address',
      kind: 'pdf',
      title: 'Proof of address',
      description: 'Utility bill, checked at the counter',
    },
    { sample: 'call-log', kind: 'txt', title: 'Call log {year}', description: null },
    {
      sample: 'letter',
      kind: 'doc',
      title: 'Letter of {year} (scanned text)',
      description: 'Taken over from the old archive',
    },
    { sample: 'offer', kind: 'docx', title: 'Offer #{number} - 10% off', description: 'Valid for 30 days' },
    {
      sample: 'delivery-note',
      kind: 'pdf',
      title: 'Delivery note {number}',
      description: 'Scanned, signed on delivery',
    },
  ],
  fr: [
    { sample: 'contract', kind: 'pdf', title: 'Contrat {year}', description: 'Exemplaire signé' },
    { sample: 'invoice', kind: 'pdf', title: 'Facture n° {number}', description: null },
    {
      sample: 'meeting-notes',
      kind: 'docx',
      title: 'Compte rendu de réunion',
      description: 'Revue annuelle du dossier',
    },
    {
      sample: 'proof-of-address',
      kind: 'pdf',
      title: 'Justificatif de domicile à {city}',
      description: 'Vérifié à l’accueil',
    },
    {
      sample: 'letter',
      kind: 'doc',
      title: 'Courrier d’août {year}',
      description: 'Repris de l’ancien système',
    },
    { sample: 'call-log', kind: 'txt', title: 'Relevé des appels', description: null },
    {
      sample: 'delivery-note',
      kind: 'pdf',
      title: 'Bon de livraison {number}',
      description: 'Numérisé, signé à la livraison',
    },
  ],
  de: [
    { sample: 'contract', kind: 'pdf', title: 'Vertrag {year}', description: 'Unterschriebene Fassung' },
    { sample: 'invoice', kind: 'pdf', title: 'Rechnung {year}-{number}', description: null },
    { sample: 'offer', kind: 'docx', title: 'Angebot „Büro & Möbel“', description: 'Gültig für 30 Tage' },
    {
      sample: 'letter',
      kind: 'doc',
      title: 'Kündigungsbestätigung {year}',
      description: 'Aus dem alten Archiv übernommen',
    },
    { sample: 'call-log', kind: 'txt', title: 'Gesprächsnotiz Straßenbau', description: null },
    {
      sample: 'delivery-note',
      kind: 'pdf',
      title: 'Lieferschein {number}',
      description: 'Eingescannt, bei der Lieferung unterschrieben',
    },
  ],
  pl: [
    { sample: 'contract', kind: 'pdf', title: 'Umowa {year}', description: 'Podpisany egzemplarz' },
    { sample: 'invoice', kind: 'pdf', title: 'Faktura VAT {number}-{year}', description: null },
    { sample: 'meeting-notes', kind: 'docx', title: 'Protokół spotkania', description: 'Roczny przegląd' },
    { sample: 'call-log', kind: 'txt', title: 'Notatka służbowa', description: null },
  ],
  tr: [
    { sample: 'contract', kind: 'pdf', title: 'Sözleşme {year}', description: 'İmzalı nüsha' },
    { sample: 'invoice', kind: 'pdf', title: 'Fatura {number}', description: null },
    { sample: 'meeting-notes', kind: 'docx', title: 'Görüşme notları', description: 'Yıllık değerlendirme' },
    { sample: 'letter', kind: 'doc', title: 'İhbar yazısı {year}', description: 'Eski arşivden' },
  ],
  vi: [
    { sample: 'contract', kind: 'pdf', title: 'Hợp đồng {year}', description: 'Bản đã ký' },
    { sample: 'invoice', kind: 'pdf', title: 'Hóa đơn {number}', description: null },
    { sample: 'meeting-notes', kind: 'docx', title: 'Biên bản cuộc họp', description: null },
    { sample: 'call-log', kind: 'txt', title: 'Ghi chú điện thoại', description: null },
  ],
  ja: [
    { sample: 'contract', kind: 'docx', title: '契約書 {year}年', description: '署名済み' },
    { sample: 'invoice', kind: 'pdf', title: '請求書 {number}', description: null },
    { sample: 'meeting-notes', kind: 'doc', title: '議事録', description: '年次レビュー' },
    { sample: 'call-log', kind: 'txt', title: '電話メモ', description: null },
  ],
  ar: [
    { sample: 'contract', kind: 'docx', title: 'عقد {year}', description: 'نسخة موقعة' },
    { sample: 'invoice', kind: 'pdf', title: 'فاتورة {number}', description: null },
    { sample: 'call-log', kind: 'txt', title: 'ملاحظات المكالمة', description: null },
  ],
  es: [
    { sample: 'contract', kind: 'pdf', title: 'Contrato {year}', description: 'Copia firmada' },
    { sample: 'invoice', kind: 'pdf', title: 'Factura n.º {number}', description: null },
    { sample: 'meeting-notes', kind: 'docx', title: 'Acta de la reunión', description: 'Revisión del año' },
    { sample: 'letter', kind: 'doc', title: 'Carta de mañana ¿pendiente?', description: null },
    {
      sample: 'delivery-note',
      kind: 'pdf',
      title: 'Albarán {number}',
      description: 'Escaneado, firmado en la entrega',
    },
  ],
};
