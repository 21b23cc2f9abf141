export type Language = 'en' | 'fr' | 'de' | 'pl' | 'tr' | 'vi' | 'ja' | 'ar' | 'es';
export type DemoFileKind = 'pdf' | 'docx' | 'doc' | 'txt';

export interface Paper {
  kind: DemoFileKind;
  /** The file's name without extension, also its heading. `{year}`, `{number}`, `{name}`, `{city}` are filled in. */
  title: string;
  description: string | null;
}

export const papers: Record<Language, Paper[]> = {
  en: [
    { kind: 'pdf', title: 'Contract {year}', description: 'Signed copy' },
    { kind: 'pdf', title: 'Invoice {year}-{number}', description: null },
    { kind: 'docx', title: 'Meeting notes {name}', description: 'Notes from the yearly review' },
    { kind: 'pdf', title: 'Proof of address', description: 'Utility bill, checked at the counter' },
    { kind: 'txt', title: 'Call log {year}', description: null },
    { kind: 'doc', title: 'Letter of {year} (scanned text)', description: 'Taken over from the old archive' },
    { kind: 'docx', title: 'Offer #{number} - 10% off', description: 'Valid for 30 days' },
  ],
  fr: [
    { kind: 'pdf', title: 'Contrat {year}', description: 'Exemplaire signé' },
    { kind: 'pdf', title: 'Facture n° {number}', description: null },
    { kind: 'docx', title: 'Compte rendu de réunion', description: 'Revue annuelle du dossier' },
    { kind: 'pdf', title: 'Justificatif de domicile à {city}', description: 'Vérifié à l’accueil' },
    { kind: 'doc', title: 'Courrier d’août {year}', description: 'Repris de l’ancien système' },
    { kind: 'txt', title: 'Relevé des appels', description: null },
  ],
  de: [
    { kind: 'pdf', title: 'Vertrag {year}', description: 'Unterschriebene Fassung' },
    { kind: 'pdf', title: 'Rechnung {year}-{number}', description: null },
    { kind: 'docx', title: 'Angebot „Büro & Möbel“', description: 'Gültig für 30 Tage' },
    { kind: 'doc', title: 'Kündigungsbestätigung {year}', description: 'Aus dem alten Archiv übernommen' },
    { kind: 'txt', title: 'Gesprächsnotiz Straßenbau', description: null },
  ],
  pl: [
    { kind: 'pdf', title: 'Umowa {year}', description: 'Podpisany egzemplarz' },
    { kind: 'pdf', title: 'Faktura VAT {number}-{year}', description: null },
    { kind: 'docx', title: 'Protokół spotkania', description: 'Roczny przegląd' },
    { kind: 'txt', title: 'Notatka służbowa', description: null },
  ],
  tr: [
    { kind: 'pdf', title: 'Sözleşme {year}', description: 'İmzalı nüsha' },
    { kind: 'pdf', title: 'Fatura {number}', description: null },
    { kind: 'docx', title: 'Görüşme notları', description: 'Yıllık değerlendirme' },
    { kind: 'doc', title: 'İhbar yazısı {year}', description: 'Eski arşivden' },
  ],
  vi: [
    { kind: 'pdf', title: 'Hợp đồng {year}', description: 'Bản đã ký' },
    { kind: 'pdf', title: 'Hóa đơn {number}', description: null },
    { kind: 'docx', title: 'Biên bản cuộc họp', description: null },
    { kind: 'txt', title: 'Ghi chú điện thoại', description: null },
  ],
  ja: [
    { kind: 'docx', title: '契約書 {year}年', description: '署名済み' },
    { kind: 'pdf', title: '請求書 {number}', description: null },
    { kind: 'doc', title: '議事録', description: '年次レビュー' },
    { kind: 'txt', title: '電話メモ', description: null },
  ],
  ar: [
    { kind: 'docx', title: 'عقد {year}', description: 'نسخة موقعة' },
    { kind: 'pdf', title: 'فاتورة {number}', description: null },
    { kind: 'txt', title: 'ملاحظات المكالمة', description: null },
  ],
  es: [
    { kind: 'pdf', title: 'Contrato {year}', description: 'Copia firmada' },
    { kind: 'pdf', title: 'Factura n.º {number}', description: null },
    { kind: 'docx', title: 'Acta de la reunión', description: 'Revisión del año' },
    { kind: 'doc', title: 'Carta de mañana ¿pendiente?', description: null },
  ],
};

export const paragraphs: Record<Language, string[]> = {
  en: [
    'This paper belongs to the file of {name} in {city}. It was invented for demonstration: the person, the numbers and the sums are not real.',
    'Both sides confirmed the particulars on record in {year}. Changes of address or telephone number are to be reported within thirty days.',
    'Reference {number}. Please quote it in every letter.',
  ],
  fr: [
    'Cette pièce fait partie du dossier de {name}, à {city}. Elle a été inventée pour la démonstration : ni la personne ni les montants ne sont réels.',
    'Les deux parties ont confirmé les coordonnées en {year}. Tout changement d’adresse doit être signalé sous trente jours.',
    'Référence {number}, à rappeler dans chaque courrier.',
  ],
  de: [
    'Dieses Schriftstück gehört zur Akte von {name} in {city}. Es ist zur Vorführung erfunden: Person, Nummern und Beträge gibt es nicht.',
    'Beide Seiten haben die Angaben im Jahr {year} bestätigt. Änderungen der Anschrift sind binnen dreißig Tagen mitzuteilen.',
    'Aktenzeichen {number}. Bitte in jedem Schreiben angeben.',
  ],
  pl: [
    'To pismo należy do akt klienta {name}, {city}. Zostało wymyślone na potrzeby pokazu: osoba i kwoty nie są prawdziwe.',
    'Obie strony potwierdziły dane w roku {year}. Zmianę adresu należy zgłosić w ciągu trzydziestu dni.',
    'Numer sprawy {number}.',
  ],
  tr: [
    'Bu belge {name} ({city}) dosyasına aittir. Gösterim için uydurulmuştur: kişi ve tutarlar gerçek değildir.',
    'İki taraf da bilgileri {year} yılında doğruladı. Adres değişiklikleri otuz gün içinde bildirilmelidir.',
    'Başvuru numarası {number}.',
  ],
  vi: [
    'Tài liệu này thuộc hồ sơ của {name} tại {city}. Nội dung được bịa ra để minh họa: người và số tiền đều không có thật.',
    'Hai bên đã xác nhận thông tin vào năm {year}. Mọi thay đổi địa chỉ cần được báo trong ba mươi ngày.',
    'Số tham chiếu {number}.',
  ],
  ja: [
    'この書類は{city}の{name}様の記録に属します。説明用に作られたもので、人物も金額も実在しません。',
    '{year}年に双方が記載内容を確認しました。住所の変更は三十日以内にお知らせください。',
    '参照番号 {number}',
  ],
  ar: [
    'هذه الوثيقة من ملف {name} في {city}. وقد وُضعت للعرض فقط، فلا الشخص ولا المبالغ حقيقية.',
    'أكد الطرفان البيانات في عام {year}. يرجى الإبلاغ عن أي تغيير في العنوان خلال ثلاثين يوما.',
    'رقم المرجع {number}',
  ],
  es: [
    'Este documento pertenece al expediente de {name}, en {city}. Se inventó para la demostración: ni la persona ni los importes son reales.',
    'Ambas partes confirmaron los datos en {year}. Los cambios de dirección se comunicarán en un plazo de treinta días.',
    'Referencia {number}. Cítese en cada carta.',
  ],
};
