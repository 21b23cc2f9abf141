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

const paper = (
  sample: Paper['sample'],
  kind: DemoFileKind,
  title: string,
  description: string | null = null,
): Paper => ({ sample, kind, title, description });

export const papers: Record<Language, Paper[]> = {
  en: [
    paper('contract', 'pdf', 'Contract {year}', 'Signed copy'),
    paper('invoice', 'pdf', 'Invoice {year}-{number}'),
    paper('meeting-notes', 'docx', 'Meeting notes {name}', 'Notes from the yearly review'),
    paper('proof-of-address', 'pdf', 'Proof of address', 'Utility bill, checked at the counter'),
    paper('call-log', 'txt', 'Call log {year}'),
    paper('letter', 'doc', 'Letter of {year} (scanned text)', 'Taken over from the old archive'),
    paper('offer', 'docx', 'Offer #{number} - 10% off', 'Valid for 30 days'),
    paper('delivery-note', 'pdf', 'Delivery note {number}', 'Scanned, signed on delivery'),
  ],
  fr: [
    paper('contract', 'pdf', 'Contrat {year}', 'Exemplaire signé'),
    paper('invoice', 'pdf', 'Facture n° {number}'),
    paper('meeting-notes', 'docx', 'Compte rendu de réunion', 'Revue annuelle du dossier'),
    paper('proof-of-address', 'pdf', 'Justificatif de domicile à {city}', 'Vérifié à l’accueil'),
    paper('letter', 'doc', 'Courrier d’août {year}', 'Repris de l’ancien système'),
    paper('call-log', 'txt', 'Relevé des appels'),
    paper('delivery-note', 'pdf', 'Bon de livraison {number}', 'Numérisé, signé à la livraison'),
  ],
  de: [
    paper('contract', 'pdf', 'Vertrag {year}', 'Unterschriebene Fassung'),
    paper('invoice', 'pdf', 'Rechnung {year}-{number}'),
    paper('offer', 'docx', 'Angebot „Büro & Möbel“', 'Gültig für 30 Tage'),
    paper('letter', 'doc', 'Kündigungsbestätigung {year}', 'Aus dem alten Archiv übernommen'),
    paper('call-log', 'txt', 'Gesprächsnotiz Straßenbau'),
    paper('delivery-note', 'pdf', 'Lieferschein {number}', 'Eingescannt, bei der Lieferung unterschrieben'),
  ],
  pl: [
    paper('contract', 'pdf', 'Umowa {year}', 'Podpisany egzemplarz'),
    paper('invoice', 'pdf', 'Faktura VAT {number}-{year}'),
    paper('meeting-notes', 'docx', 'Protokół spotkania', 'Roczny przegląd'),
    paper('call-log', 'txt', 'Notatka służbowa'),
  ],
  tr: [
    paper('contract', 'pdf', 'Sözleşme {year}', 'İmzalı nüsha'),
    paper('invoice', 'pdf', 'Fatura {number}'),
    paper('meeting-notes', 'docx', 'Görüşme notları', 'Yıllık değerlendirme'),
    paper('letter', 'doc', 'İhbar yazısı {year}', 'Eski arşivden'),
  ],
  vi: [
    paper('contract', 'pdf', 'Hợp đồng {year}', 'Bản đã ký'),
    paper('invoice', 'pdf', 'Hóa đơn {number}'),
    paper('meeting-notes', 'docx', 'Biên bản cuộc họp'),
    paper('call-log', 'txt', 'Ghi chú điện thoại'),
  ],
  ja: [
    paper('contract', 'docx', '契約書 {year}年', '署名済み'),
    paper('invoice', 'pdf', '請求書 {number}'),
    paper('meeting-notes', 'doc', '議事録', '年次レビュー'),
    paper('call-log', 'txt', '電話メモ'),
  ],
  ar: [
    paper('contract', 'docx', 'عقد {year}', 'نسخة موقعة'),
    paper('invoice', 'pdf', 'فاتورة {number}'),
    paper('call-log', 'txt', 'ملاحظات المكالمة'),
  ],
  es: [
    paper('contract', 'pdf', 'Contrato {year}', 'Copia firmada'),
    paper('invoice', 'pdf', 'Factura n.º {number}'),
    paper('meeting-notes', 'docx', 'Acta de la reunión', 'Revisión del año'),
    paper('letter', 'doc', 'Carta de mañana ¿pendiente?'),
    paper('delivery-note', 'pdf', 'Albarán {number}', 'Escaneado, firmado en la entrega'),
  ],
};
